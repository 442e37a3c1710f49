import type { Address, Hex } from 'viem'
import { formatJson } from '../../../client/src/json.ts'
import type { Answer } from '../../../client/src/types.ts'
import type { Place, StackPlace } from '../place.ts'
import type { Worker } from '../worker.ts'
import type { SavingsChain } from './chain.ts'
import type { ComparedAmount, Comparison } from './comparison.ts'

/** The wallet that saves. */
export interface Saver extends StackPlace {
  worker: Worker
  wallet: Address
  savings: SavingsChain
  comparison: Comparison
}

/** Unsigned transactions of an answer, with the balances that they change. */
type Built = Pick<Answer<'buildAccountDepositTransactions'>, 'templates' | 'expected'>

/** An amount of the settlement asset beside the chain's. */
export const inAsset = (
  { asset: { symbol, decimals } }: Place,
  name: string,
  { raw: serviceRaw }: { raw: bigint },
  chainRaw: bigint,
): ComparedAmount => ({ name, serviceRaw, chainRaw, symbol, decimals })

type Offered<Answer> = Extract<Answer, { templates: readonly object[] }>

/** Asks the service for unsigned transactions. Throws when it offers none. */
export const build = <Answer extends { available?: boolean }>(
  saver: Saver,
  name: string,
  ask: () => Promise<Answer>,
): Promise<Offered<Answer>> =>
  saver.report.step(
    name,
    async () => {
      const answer = await ask()
      if (answer.available === false) throw new Error(`the service offers no transactions: ${formatJson(answer)}`)
      return answer as Offered<Answer>
    },
    ({ templates }) => `to sign: ${(templates as readonly { step: string }[]).map(({ step }) => step).join(', ')}`,
  )

/** Signs and sends unsigned transactions, then compares each balance that the answer expects with the chain. Returns the last block. */
export const sendAll = async (saver: Saver, { templates, expected }: Built): Promise<bigint> => {
  let hash: Hex | undefined
  for (const { to, data } of templates) hash = await saver.chain.send(saver.worker.account, { to: to as Hex, data: data as Hex })
  if (hash === undefined) throw new Error('the answer holds no transaction')
  const block = await saver.savings.blockOf(hash)
  const rows = expected.map(async ({ kind, holder, after }): Promise<ComparedAmount> => {
    const name = holder === saver.wallet.toLowerCase() ? kind : `${kind}, another wallet`
    const { asset: symbol, decimals } = after
    return { name, serviceRaw: after.raw, chainRaw: await saver.savings.balance(kind, holder as Address, block), symbol, decimals }
  })
  if (rows.length > 0) saver.comparison.show('balances expected, and found', await Promise.all(rows))
  return block
}

/** Number of the newest block. */
export const newestBlock = ({ chain }: Place): Promise<bigint> => chain.client.getBlockNumber({ cacheTime: 0 })
