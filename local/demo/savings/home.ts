import type { Answer } from '../../../client/src/types.ts'
import { money } from '../place.ts'
import { build, inAsset, newestBlock, type Saver, sendAll } from './saver.ts'

type Place = Extract<Answer<'getAccountPosition'>, { available: true }>['places'][number]

const placesOf = async ({ worker }: Saver): Promise<Place[]> => {
  const position = await worker.client.getAccountPosition()
  if (!position.available) throw new Error(`the service shows no position: ${position.reason}`)
  return position.places
}

/** Sends what takes the money of one place a step nearer to the wallet. */
const bringNearer = async (saver: Saver, { place, id, amount }: Place): Promise<void> => {
  const { client } = saver.worker
  const assets = amount.raw
  const shown = money(saver, assets)
  switch (place) {
    case 'strategy':
      await sendAll(
        saver,
        await build(saver, `recall ${shown} that is lent`, () => client.buildRecallTransactions({ strategyId: id ?? '' })),
      )
      return
    case 'pool_shares': {
      const name = `take ${shown} out of the deposit pool`
      await sendAll(saver, await build(saver, name, () => client.buildPoolTransactions({ direction: 'withdraw', assets })))
      return
    }
    case 'credit_shares': {
      const credit = await client.getCredit()
      if (!credit.available) throw new Error(`the service shows no credit pool: ${credit.reason}`)
      const shares = credit.wallet.availableLenderShares.raw
      const name = `take ${shown} out of the credit pool`
      await sendAll(saver, await build(saver, name, () => client.buildCreditTransactions({ direction: 'withdraw', shares })))
      return
    }
    case 'available': {
      const name = `withdraw ${shown} to the wallet`
      await sendAll(saver, await build(saver, name, () => client.buildAccountWithdrawTransactions({ amount: assets })))
      return
    }
    default:
      throw new Error(`${shown} cannot come home from ${place}`)
  }
}

/** Brings everything of a wallet home, as `places` of its position says: what is lent, then what is in the account. */
export const bringHome = async (saver: Saver): Promise<void> => {
  const away = async (): Promise<Place[]> => (await placesOf(saver)).filter(({ place }) => place !== 'wallet')
  for (const place of (await away()).filter((one) => one.place !== 'available')) await bringNearer(saver, place)
  for (const place of await away()) await bringNearer(saver, place)
  const left = await away()
  if (left.length > 0)
    throw new Error(`not every coin is home: ${left.map(({ place, amount }) => `${amount.display} in ${place}`).join(', ')}`)
  const home = (await placesOf(saver)).find(({ place }) => place === 'wallet')
  const chainRaw = await saver.savings.balance('wallet', saver.wallet, await newestBlock(saver))
  saver.comparison.show('every coin is home', [inAsset(saver, 'in the wallet', home?.amount ?? { raw: 0n }, chainRaw)])
}
