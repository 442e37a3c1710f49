import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { storeReading } from '../../activities/catalogue/reward-bank.ts'
import type { ChainReads } from '../../activities/chain/reads.ts'
import type { Database } from '../../activities/database/database.ts'

const PERIOD_MS = 5_000

/** Refreshes the stored balance of the reward bank. After failed reads the stored value ages, and lists show it as unverified. */
export const startRewardBankReader = (deps: {
  database: Database
  reads: Pick<ChainReads, 'walletFacts'>
  /** Wallet whose balance is the reward bank. */
  operator: Hex
  asset: string
  logger: Logger
}): { stop: () => void; lastReadAt: () => number | null } => {
  const { database, reads, operator, asset, logger } = deps
  let stopped = false
  let readAt: number | null = null
  const read = async (): Promise<void> => {
    const facts = await reads.walletFacts(operator)
    await storeReading(database.rows, {
      asset,
      liquidRaw: facts.position.liquid,
      posterFeeBps: facts.policy.posterFeeBps,
      posterFeeFloorRaw: facts.policy.posterFeeFloorRaw,
      stakeBps: facts.policy.stakeBps,
      feeBps: facts.policy.feeBps,
      minFeeRaw: facts.policy.minFeeRaw,
      blockNumber: facts.block.number,
    })
    readAt = Date.now()
  }
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await read().catch((error: unknown) => logger.warn({ err: error }, 'the reward bank could not be read'))
      await new Promise((resolve) => setTimeout(resolve, PERIOD_MS).unref())
    }
  }
  void loop()
  return {
    /** Time of the last successful read, wall clock of this process in ms; null before the first. */
    lastReadAt: () => readAt,
    stop: () => {
      stopped = true
    },
  }
}
