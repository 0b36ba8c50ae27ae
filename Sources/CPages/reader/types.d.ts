// Types for the type checker alone: no page loads this file.

/** {path, pattern, params, query}: '/clubs/:club' gives params.club. */
type Route = {path: string; pattern: string; params: Record<string, string>; query: URLSearchParams};
type State = import('./app.js').State;
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
