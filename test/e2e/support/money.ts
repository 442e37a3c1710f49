import type { Address } from 'viem'
import type { World } from './world.ts'

/** Everybody whose money a claim can move: the position in the account contract, and tokens in the wallet. Base units. */
export type Balances = Record<'worker' | 'operator' | 'treasury' | 'verifier', { liquid: bigint; locked: bigint; tokens: bigint }>

export const readBalances = async ({ view, operatorAccount, treasury, verifier }: World, worker: Address): Promise<Balances> => {
  const balanceOf = async (wallet: Address) => {
    const { liquidRaw, stakedRaw, tokensRaw } = await view.standingOf(wallet)
    return { liquid: liquidRaw, locked: stakedRaw, tokens: tokensRaw }
  }
  const wallets = [worker, operatorAccount.address, treasury, verifier.account.address]
  const [first, second, third, fourth] = await Promise.all(wallets.map(balanceOf))
  if (!first || !second || !third || !fourth) throw new Error('a balance was not read')
  return { worker: first, operator: second, treasury: third, verifier: fourth }
}

/** Differences by wallet and member, base units; what did not move is left out. */
export type Moves = Record<string, Record<string, bigint>>

/** What moved between two looks. */
export const moved = (before: Balances, after: Balances): Moves => {
  const differences = (Object.keys(before) as (keyof Balances)[]).map((who) => {
    const members = (['liquid', 'locked', 'tokens'] as const).map((what) => [what, after[who][what] - before[who][what]] as const)
    return [who, Object.fromEntries(members.filter(([, difference]) => difference !== 0n))] as const
  })
  return Object.fromEntries(differences.filter(([, members]) => Object.keys(members).length > 0))
}
