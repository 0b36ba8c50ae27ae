// Types for the type checker alone: no page loads this file.

/** {path, pattern, params, query}: '/clubs/:club' gives params.club. */
type Route = {path: string; pattern: string; params: Record<string, string>; query: URLSearchParams};
type State = import('./state.js').State;
/**
 * A screen. A file exports `screen`, and screens.js has a row with its address:
 *
 *   export const screen = {
 *     title: (route, state) => 'Clubs',
 *     names: (route, state) => ({clubs: '/v1/clubs', found: {url: `/v1/books?q=${…}`, debounce: true}}),
 *     view: (route, state) => [h('h1', {tabindex: -1}, 'Clubs'), …],
 *   };
 *
 * * route: {path, pattern, params, query}. '/clubs/:club' gives params.club.
 * * names: the watched names besides me, settings and cards. Called after every change; must return the same for the same state.
 *   state.get(name) is the value (undefined until it arrives), state.entry(name) its entry; `gone` is the reason of its absence.
 *   Lists are {items, next, …}, in the server's order if the URL has a limit. Otherwise new items come last: sort them.
 * * view: nodes from state alone, called at most once per frame. The first is an h1 with tabindex -1, which gets the focus when the screen
 *   opens. A list's nodes have keys; `once(value, node)` in pictures.js reuses nodes of unchanged values. If the screen's main name is
 *   gone, show notHere() of shared/parts.js.
 * * state.ui is the screen's own state, {} when it opens; state.set({open: true}) changes it and shows it.
 * * Writes: button, form and dialog of shared/parts.js, by state.act. Results come by the stream. See state.js for the rest.
 */
type ReaderScreen = {
  title: (route: Route, state: State) => string;
  names: (route: Route, state: State) => Watches;
  view: (route: Route, state: State) => Child;
  arrived?: (change: any, names: string[], state: State) => void;
};
/** Kept texts by field, and the id of what the form creates. */
type Draft = {id: string; texts: Record<string, string>};
type Nodes = (state: State, ...more: any[]) => any;

/** A function that builds a part of a club screen. */
type View = (...of: any[]) => any;
/** A field of a form: see clubs-kit.js. */
type Field = {name: string; label: string; type?: 'text' | 'area' | 'number' | 'when' | 'check' | 'select' | 'place' | 'url'; value?: any; required?: boolean;
  options?: string[][]; hint?: string; changed?: (value: string) => void; units?: any};
/** The context of a club's parts: see contextOf. */
type Club = ReturnType<typeof import('./clubs-kit.js').contextOf>;
type ClubPart = (club: Club, ...more: any[]) => any;
