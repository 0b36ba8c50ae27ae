// Types of the parts of text.js for the type checker alone: see .ci/pages.

/** Texts; any name may look up a text that a value of the server chooses. */
type Chosen<T> = {[K in keyof T]: T[K] extends string | any[] | ((...of: any[]) => any) ? T[K] : Record<string, any>};
type Texts = typeof import('./text.js');
declare module '*/text/common.js' { export const common: Chosen<Texts['common']>; }
declare module '*/text/reading.js' { export const reading: Chosen<Texts['reading']>; }
declare module '*/text/clubs.js' { export const clubs: Chosen<Texts['clubs']>; }
declare module '*/text/me.js' { export const me: Chosen<Texts['me']>; }
declare module '*/text/joining.js' { export const joining: Chosen<Texts['joining']>; }
declare module '*/text/inspect.js' { export const inspect: Chosen<Texts['inspect']>; }
declare module '*/text/docs.js' { export const docs: Chosen<Texts['docs']>; }
declare module '*/text/admin.js' { export const admin: Chosen<Texts['admin']>; }
