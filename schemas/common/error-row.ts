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

/** A next action; without a description the reaction describes it. */
interface StatedAction extends Pick<NextAction, 'method' | 'path'> {
  kind: 'http' | 'wait' | 'sign_in'
  description?: string
}

type Path = `/${string}`
const http = (method: 'GET' | 'POST', path: Path, description: string | undefined): StatedAction => ({
  kind: 'http',
  method,
  path,
  ...(description !== undefined && { description }),
})
export const get = (path: Path, description?: string): StatedAction => http('GET', path, description)
export const post = (path: Path, description?: string): StatedAction => http('POST', path, description)
export const WAIT: StatedAction = { kind: 'wait' }
export const SIGN_IN: StatedAction = { kind: 'sign_in', method: 'POST', path: '/auth/nonce' }

/** A row as a subject states it: 409 without a status; a retryable one has a wait as its first next action. */
interface StatedRow extends Pick<ErrorRow, 'title' | 'meaning' | 'reaction'> {
  status?: number
  retryable?: true
  nextActions?: readonly StatedAction[]
}

/** Members of a row whose request is repeated later. */
export const LATER = { reaction: 'Repeat later.', retryable: true } as const

const toRow = ({ status = 409, title, meaning, reaction, retryable, nextActions = [] }: StatedRow): ErrorRow => {
  const actions = retryable === true ? [WAIT, ...nextActions] : nextActions
  const described = actions.map(({ description = reaction, ...action }) => ({ ...action, description }))
  return { status, title, meaning, reaction, retryable: retryable === true, nextActions: described }
}

/** The part of a subject in the error table, one row per code. */
export const errorTable = <const Code extends string>(rows: Readonly<Record<Code, StatedRow>>): Readonly<Record<Code, ErrorRow>> =>
  Object.fromEntries(Object.entries<StatedRow>(rows).map(([code, row]) => [code, toRow(row)])) as Record<Code, ErrorRow>
