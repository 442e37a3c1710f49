import { catalogueRecorder } from '../../activities/catalogue/chain-recorder.ts'
import type { WorkerSubject } from '../subjects.ts'
import { BANK_METRICS, bankSamples, startRewardBankReader } from './reward-bank.ts'

export const subject = {
  recorder: catalogueRecorder,
  metrics: BANK_METRICS,
  background: ({ database, reads, operator, chain, logger }) => {
    const bank = startRewardBankReader({ database, reads, operator, asset: chain.asset.symbol, logger })
    return { loops: [bank], readSamples: () => bankSamples(bank.lastReadAt()) }
  },
} satisfies WorkerSubject
