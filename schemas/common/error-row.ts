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

type Path = `/${string}`
export const get = (path: Path, description: string): NextAction => ({ kind: 'http', method: 'GET', path, description })
export const post = (path: Path, description: string): NextAction => ({ kind: 'http', method: 'POST', path, description })
export const signIn = (description: string): NextAction => ({ kind: 'sign_in', method: 'POST', path: '/auth/nonce', description })
export const wait = (description: string): NextAction => ({ kind: 'wait', description })

/** A row as a subject states it; 409 without a status. */
type StatedRow = Pick<ErrorRow, 'title' | 'meaning'> & { status?: number } & (
    | { reaction: string; retryable: true; nextActions?: readonly NextAction[] }
    /** Without a reaction it is that of the first next action. */
    | { reaction?: string; retryable?: never; nextActions: readonly [NextAction, ...NextAction[]] }
  )

/** Members of a row whose request is repeated later. */
export const LATER = { reaction: 'Repeat later.', retryable: true } as const

const toRow = (row: StatedRow): ErrorRow => {
  const { status = 409, title, meaning } = row
  if (!row.retryable) {
    const { nextActions, reaction = nextActions[0].description } = row
    return { status, title, meaning, reaction, retryable: false, nextActions }
  }
  const { reaction, nextActions = [] } = row
  return { status, title, meaning, reaction, retryable: true, nextActions: [wait(reaction), ...nextActions] }
}

/** The part of a subject in the error table, one row per code. A retryable row has a wait as its first next action. */
export const errorTable = <const Code extends string>(rows: Readonly<Record<Code, StatedRow>>): Readonly<Record<Code, ErrorRow>> =>
  Object.fromEntries(Object.entries<StatedRow>(rows).map(([code, row]) => [code, toRow(row)])) as Record<Code, ErrorRow>
