// Types for the type checker alone: no page loads this file.

/** {path, pattern, params, query}: '/clubs/:club' gives params.club. */
type Route = {path: string; pattern: string; params: Record<string, string>; query: URLSearchParams};
type State = import('./state.js').State;
/**
 * How a screen is made. A file exports `screen`, and screens.js has a row with its address:
 *
 *   export const screen = {
 *     title: (route, state) => 'Clubs',
 *     names: (route, state) => ({clubs: '/v1/clubs', found: {url: `/v1/books?q=${…}`, debounce: true}}),
 *     view: (route, state) => [h('h1', {tabindex: -1}, 'Clubs'), …],
 *   };
 *
 * * route: {path, pattern, params, query}. '/clubs/:club' gives params.club.
 * * names: what the screen watches now, besides me, settings and cards. It is asked after every change, and must say the same for the same
 *   state. state.get(name) is the value (undefined until it is there), state.entry(name) all of it: `gone` says why it is not there.
 *   Lists are {items, next, …}, in the order of the service where the URL has a limit; without one, new items come last: sort them.
 * * view: nodes from state alone, called at most once per frame. The first is an h1 with tabindex -1, which gets the focus when the screen
 *   opens. A list's nodes have keys; `once(value, node)` in pictures.js keeps those of unchanged values. Where the screen's main name is
 *   gone: notHere() of shared/parts.js.
 * * state.ui is the screen's own state, {} when it opens; state.set({open: true}) changes it and shows it.
 * * Writes: button, form and dialog of shared/parts.js, by state.act. Results come by the stream. See state.js for the rest.
 */
type ReaderScreen = {
  title: (route: Route, state: State) => string;
  names: (route: Route, state: State) => Watches;
  view: (route: Route, state: State) => Child;
  arrived?: (change: any, names: string[], state: State) => void;
};
type Nodes = (state: State, ...more: any[]) => any;

/** Nodes, or whatever else a screen of clubs is made of, from values of the service. */
type View = (...of: any[]) => any;
/** A field of a form: see clubs-kit.js. */
type Field = {name: string; label: string; type?: 'text' | 'area' | 'number' | 'when' | 'check' | 'select' | 'place' | 'url'; value?: any; required?: boolean;
  options?: string[][]; hint?: string; changed?: (value: string) => void; units?: any};
/** What a club's parts need: see contextOf. */
type Club = ReturnType<typeof import('./clubs-kit.js').contextOf>;
type ClubPart = (club: Club, ...more: any[]) => any;
