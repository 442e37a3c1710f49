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

export const CHOOSE_ANOTHER = get('/jobs/recommendations', 'Choose another job.')
export const OWN_SESSIONS = get('/sessions', 'List own sessions.')
export const READ_SESSION = get('/session?sessionId={sessionId}', 'Read the session.')
export const REPORT = get('/health', 'Report the request id to the operator. /health shows the state of the service.')

type Actions = NextAction | readonly [NextAction, ...NextAction[]]

/** A row as a subject states it: 409 without a status, the code in words without a title. `retry` says when the identical request can succeed. */
type StatedRow = { status?: number; title?: string; meaning: string } & (
  | { retry: string; next?: Actions }
  /** Without a reaction it is that of the first next action. */
  | { retry?: never; reaction?: string; next: Actions }
)

const withStatus =
  (status: number) =>
  <const Row extends StatedRow>(row: Row): Row & { status: number } => ({ ...row, status })

export const badRequest = withStatus(400)
export const unauthorised = withStatus(401)
export const forbidden = withStatus(403)
export const notFound = withStatus(404)
export const gone = withStatus(410)
export const badGateway = withStatus(502)
export const unavailable = withStatus(503)

/** `job_not_found` → "Job not found". */
const inWords = (code: string): string => `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`

const toRow = (code: string, row: StatedRow): ErrorRow => {
  const { status = 409, title = inWords(code), meaning, retry, next = [] } = row
  const nextActions = [retry === undefined ? [] : wait(retry), next].flat()
  const [first] = nextActions
  const reaction = ('reaction' in row ? row.reaction : undefined) ?? first?.description ?? ''
  return { status, title, meaning, reaction, retryable: retry !== undefined, nextActions }
}

/** The part of a subject in the error table, one row per code. A retryable row has a wait as its first next action. */
export const errorTable = <const Code extends string>(rows: Readonly<Record<Code, StatedRow>>): Readonly<Record<Code, ErrorRow>> =>
  Object.fromEntries(Object.entries<StatedRow>(rows).map(([code, row]) => [code, toRow(code, row)])) as Record<Code, ErrorRow>

/** Codes of such a part. */
export const codesOf = <Code extends string>(table: Readonly<Record<Code, ErrorRow>>) => Object.keys(table) as Code[]
