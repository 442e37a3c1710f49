import { type BillingStatus, RUN_STATES, type RunState, type RunStatus } from '../../schemas/paid-verification/record.ts'

const VIEWS = {
  authorized: { status: 'queued', billing: 'authorized' },
  running: { status: 'running', billing: 'authorized' },
  executed: { status: 'executed', billing: 'authorized' },
  capturing: { status: 'executed', billing: 'capture_pending' },
  captured: { status: 'complete', billing: 'captured' },
  not_billed: { status: 'complete', billing: 'not_billed' },
  uncollectable: { status: 'complete', billing: 'uncollectable' },
} as const satisfies Record<RunState, { status: RunStatus; billing: BillingStatus }>

/** Where each state leads. From `authorized` to `uncollectable`: the payer took the money away before the run. */
const NEXT: Readonly<Record<RunState, readonly RunState[]>> = {
  authorized: ['running', 'uncollectable'],
  running: ['executed'],
  executed: ['capturing', 'not_billed', 'captured', 'uncollectable'],
  capturing: ['captured', 'uncollectable'],
  captured: [],
  not_billed: [],
  uncollectable: [],
}

/** A run as callers see it. Source: HTTP facts, "paid runs". */
export const viewOf = (state: RunState): { status: RunStatus; billing: BillingStatus } => VIEWS[state]

/** States that callers see so; an absent member leaves every state. */
export const statesSeenAs = ({ status, billing }: { status?: RunStatus | undefined; billing?: BillingStatus | undefined }): RunState[] =>
  RUN_STATES.filter(
    (state) => (status ?? VIEWS[state].status) === VIEWS[state].status && (billing ?? VIEWS[state].billing) === VIEWS[state].billing,
  )

export const canBecome = (from: RunState, to: RunState): boolean => NEXT[from].includes(to)

export const isFinal = (state: RunState): boolean => NEXT[state].length === 0

/** Whether the verdict may be shown: it was paid, or will never be billed. What cannot be collected stays hidden. */
export const showsVerdict = (state: RunState): boolean => state === 'captured' || state === 'not_billed'
