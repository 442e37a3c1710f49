import type { JournalRow } from './rows.ts'

/** Progress of a journalled transaction. The process that made a step reports it once. */
export type JournalStep = 'signed' | 'sent' | 'mined' | 'reverted' | 'dead' | 'replaced'

/** Fields by which an operator identifies a transaction; never its bytes. */
export interface JournalEvent {
  step: JournalStep
  intentKey: string
  functionName: string
  signer: string
  nonce: number
  txHash: string
  jobId: string | undefined
  sessionId: string | undefined
  requestId: string | undefined
}

export type Observe = (event: JournalEvent) => void

/** Creates the event of a row. */
export const journalEventOf = (step: JournalStep, { intentKey, intent, signer, nonce, txHash }: JournalRow): JournalEvent => {
  const { functionName, jobId, sessionId, requestId } = intent
  return { step, intentKey, functionName, signer, nonce, txHash, jobId, sessionId, requestId }
}
