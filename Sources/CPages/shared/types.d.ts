// Types for the type checker alone: no page loads this file.

/**
 * The result of h().
 * * Children: nodes, text, numbers, arrays of them; null, false and true leave an empty place, so that `condition && h(…)` keeps its
 *   neighbours. An identical node object is skipped, so that a long list can reuse the nodes of unchanged values.
 * * key: siblings of a list have one. A keyed element is moved, never made again.
 * * on…: a function, for example onclick. style: an object of CSS properties. class and all other names: attributes; true sets an empty
 *   one, null and false remove it (aria-… say "true" and "false").
 * * value and checked are properties. They are written only when the node's value changes, so that a person's typing stays.
 * * ref: called with the element once it is in the document; for example el => el.showModal().
 */
type VNode = {tag: string; key: any; props: Record<string, any>; children: (VNode | string)[]};
type Child = VNode | string | number | boolean | null | undefined | any[];
/** Properties of an element for h(). Handlers take any event, so that they need no annotation. */
type Handler =
  | 'onclick' | 'oninput' | 'onchange' | 'onsubmit' | 'onclose' | 'onerror'
  | 'onkeydown' | 'ontoggle' | 'onblur' | 'onfocus' | 'ref';
type Props = {[name in Handler]?: ((of: any) => any) | false | null} & {[name: string]: any};
type Fields = Record<string, string>;
/** The argument of strings(): functions whose parameters need no annotation. */
type Strings = Record<string, string | string[] | string[][] | Record<string,
  string | ((...values: any[]) => string)> | ((...values: any[]) => string)>;
/**
 * A watched URL. Call `Stream.watch` after each change of the page, with all names; it sends the differences as one PATCH. If only the
 * query of a URL changes, its name keeps the value until the new one arrives; a new path clears it. A list without a `limit` is complete:
 * the pages after the first one are fetched (isLoading meanwhile). With a `limit` it is a window of that size.
 */
type Watched = string | {url: string; debounce?: boolean | number};
type Watches = Record<string, Watched>;
type Entry = {url: string; value: any; gone: string | null; isRefused: boolean; ahead: any; isLoading: boolean; load: object | null};
/** A question before an irreversible action, or a form in a dialog. */
type Question = {title: string; text?: string; label: string; more?: () => Child; run: (values: any) => Promise<any>};
type DialogOf = {id: string; title: string; label: string; kind?: string; close: () => void; run: (values: any) => Promise<any>};
type Acts = import('./acts.js').Acts;
