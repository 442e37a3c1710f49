import type { Client, OperationId } from '../client/src/index.ts'
import type { Html } from '../pages/html.ts'
import type { Access } from './session/access.ts'
import type { Settings } from './settings.ts'

/** A request of a reader who has signed in, for a page or an action. */
export interface View {
  /** Client with the token of the reader. */
  client: Client
  access: Access
  settings: Settings
  /** Path without its query. */
  path: string
  /** Members of the query, each with its last value. */
  query: Readonly<Record<string, string>>
  /** Service time, epoch ms. */
  now: number
}

/** What the live updates of a page follow: every event, those of a session or job, or none. */
export type LiveScope = 'all' | 'none' | { sessionId: string } | { jobId: string }

/** Content of a page below the navigation. */
export interface Content {
  title: string
  /** One sentence below the heading. */
  lead?: string | Html
  body: Html
  live?: LiveScope
  /** True where a wallet of the browser signs or sends. */
  usesWallet?: boolean
  /** Operation and input whose answer the page shows, for the link to the raw JSON. */
  raw?: { operation: OperationId; input: Readonly<Record<string, string>> }
}

/** Groups of the navigation, in their order. */
export const GROUPS = ['Now', 'Work', 'Money', 'People', 'Operation'] as const
export type Group = (typeof GROUPS)[number]

/** A page: which operations it calls, and its content. A reader who may not call all of them has no such page. */
export interface Page {
  /** Address from the root of the console; what it shows is in the query. */
  path: `/${string}`
  /** Name in the navigation; without a group the page is reached by links only. */
  name: string
  group?: Group
  operations: readonly OperationId[]
  show: (view: View) => Promise<Content>
}
