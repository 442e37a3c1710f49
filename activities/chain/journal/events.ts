import type { JournalRow } from './rows.ts'

/** What became of a journalled transaction, told once each by the process that saw to it. */
export type JournalStep = 'signed' | 'sent' | 'mined' | 'reverted' | 'dead' | 'replaced'

/** Everything an operator follows a transaction by; never its bytes. */
export interface JournalNews {
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

export type Observe = (news: JournalNews) => void

/** News of a row. */
export const newsOf = (step: JournalStep, { intentKey, intent, signer, nonce, txHash }: JournalRow): JournalNews => {
  const { functionName, jobId, sessionId, requestId } = intent
  return { step, intentKey, functionName, signer, nonce, txHash, jobId, sessionId, requestId }
}
