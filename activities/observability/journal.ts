import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { Observe } from '../chain/journal/broadcast.ts'

/** Logs and counts the progress of each transaction. The log never holds its bytes. */
export const observeJournal = (registry: Registry, logger: Pick<Logger, 'info' | 'warn'>): Observe => {
  const transactions = new Counter({
    name: 'chain_transactions_total',
    help: 'Steps of journalled transactions that this process made or saw.',
    labelNames: ['function', 'step'],
    registers: [registry],
  })
  return (step, { intentKey, intent, signer, nonce, txHash }) => {
    const { functionName, jobId, sessionId, requestId } = intent
    transactions.inc({ function: functionName, step })
    const level = step === 'dead' || step === 'replaced' ? 'warn' : 'info'
    logger[level]({ step, intentKey, functionName, signer, nonce, txHash, jobId, sessionId, requestId }, `transaction ${step}`)
  }
}
