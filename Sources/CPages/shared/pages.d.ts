// Types of the small pages for the type checker alone: no page loads this file.

type Json = Record<string, any>;
/** A link's preview before its use. */
type Preview = {club: {id: string; name: string; description: string | null} | null; maker: {name: string} | null; reader: {name: string; signInName: string | null} | null};
type StreamEvent = {id: string; name: string; data: string; lines: string[]};
type EventRow = StreamEvent & {number: number; at: number; node?: VNode; rawNode?: VNode};
type Operation = {id: string; tag: string; method: string; path: string; summary: string; words: string; node: Json; parameters: Json[]};
type OperationGroup = {name: string; description: string; operations: Operation[]};
type DocRow = {words: string; node: VNode; hidden: VNode; make: () => any};
type DocSection = {id: string; title: string; description: string; rows: DocRow[]};
/** A question of the operator's page. */
type AdminDialog = {title: string; lead?: string; label: string; fields?: {name: string; label: string; type?: string}[];
  run: (said: any) => Promise<any>};
type AdminState = {readers: any[]; links: any[]; tokens: any[]; reports: any[]; books: any[] | null;
  duplicates: [string, any[]][] | null; dialog: (AdminDialog & {close: () => void}) | null; [name: string]: any};
