// Types for the type checker alone: no page loads this file.

/** {path, pattern, params, query}: '/clubs/:club' gives params.club. */
type Route = {path: string; pattern: string; params: Record<string, string>; query: URLSearchParams};
type State = import('./state.js').State;
/** See app.js. */
type ReaderScreen = {
  title: (route: Route, state: State) => string;
  names: (route: Route, state: State) => Watches;
  view: (route: Route, state: State) => Child;
  opened?: (route: Route, state: State) => void;
  arrived?: (change: any, names: string[], state: State) => void;
};
/** Nodes of a value. */
type Part = (value: any, state: State, ...more: any[]) => any;
type Nodes = (state: State, ...more: any[]) => any;

/** Nodes, or whatever else a screen of clubs is made of, from values of the service. */
type View = (...of: any[]) => any;
/** A field of a form: see clubs-kit.js. */
type Field = {name: string; label: string; type?: 'text' | 'area' | 'number' | 'when' | 'check' | 'select' | 'place' | 'url'; value?: any; required?: boolean;
  options?: string[][]; hint?: string; changed?: (value: string) => void; units?: any};
/** What a club's parts need: see contextOf. */
type Club = ReturnType<typeof import('./clubs-club.js').contextOf>;
type ClubPart = (club: Club, ...more: any[]) => any;
