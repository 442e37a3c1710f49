import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { Observe } from '../chain/journal/events.ts'

/** Logs and counts the progress of each transaction. */
export const observeJournal = (registry: Registry, logger: Pick<Logger, 'info' | 'warn'>): Observe => {
  const transactions = new Counter({
    name: 'chain_transactions_total',
    help: 'Steps of journalled transactions that this process made or saw.',
    labelNames: ['function', 'step'],
    registers: [registry],
  })
  return (event) => {
    const { step, functionName } = event
    transactions.inc({ function: functionName, step })
    const level = step === 'dead' || step === 'replaced' ? 'warn' : 'info'
    logger[level](event, `transaction ${step}`)
  }
}
