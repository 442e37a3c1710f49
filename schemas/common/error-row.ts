import type { z } from 'zod'
import type { NextActionShape } from '../operations/values.ts'

type NextAction = z.infer<typeof NextActionShape>

/** One row of the error table. */
export interface ErrorRow {
  status: number
  title: string
  /** Cause in one sentence; default `detail` of an occurrence. */
  meaning: string
  /** Action of the caller. */
  reaction: string
  /** True when the identical request can succeed later; `isRetryable` decides for one occurrence. */
  retryable: boolean
  /** Default `nextActions` of an occurrence. `{name}` in a path stands for that member of its `details`. */
  nextActions: readonly NextAction[]
}

const ACTION = /^(?<kind>wait|sign_in|(?<method>GET|POST) (?<path>\S+?))(?:: (?<own>.+))?$/

/** `wait`, `sign_in` or a route, with or without a description of its own; without one the reaction describes it. */
const parseAction = (text: string, reaction: string): NextAction => {
  const { kind, method, path, own: description = reaction } = ACTION.exec(text)?.groups ?? {}
  if (kind === undefined) throw new Error(`no next action reads "${text}"`)
  if (kind === 'wait') return { kind, description }
  if (kind === 'sign_in') return { kind, method: 'POST', path: '/auth/nonce', description }
  return { kind: 'http', ...(method !== undefined && { method }), ...(path !== undefined && { path }), description }
}

const parseRow = (text: string): ErrorRow => {
  const [status = '', title = '', meaning = '', reaction = '', ...flags] = text.split(' | ')
  const retryable = flags.includes('retryable')
  const actions = flags.map((flag) => parseAction(flag === 'retryable' ? 'wait' : flag, reaction))
  return { status: Number(status), title, meaning, reaction, retryable, nextActions: actions }
}

/**
 * A part of the error table, one line per code: `status | title | meaning | reaction`, then `retryable` where the code is, and the next
 * actions in order. A retryable code has a wait as its first next action.
 */
export const errorTable = <const Code extends string>(rows: Readonly<Record<Code, string>>): Readonly<Record<Code, ErrorRow>> =>
  Object.fromEntries(Object.entries<string>(rows).map(([code, text]) => [code, parseRow(text)])) as Record<Code, ErrorRow>
