// A deposit pool with a venue, its credit pool, and short ways to use them.
import { type Abi, type Address, encodeAbiParameters, getContractAddress, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ContractName, loadArtifact } from '../../../contracts/artifact.ts'
import { CREDIT_OPERATOR_KEY, callsOf, type World, who } from './world.ts'

export type SavingsKey = 'pool' | 'credit' | 'venue' | 'token'
export const UNLIMITED = 2n ** 256n - 1n
export const WEEK = 604_800

export type Savings = Awaited<ReturnType<typeof startSavings>>

const VESTING_FIELDS = ['bytes32', 'address', 'bytes32', 'uint256', 'uint256', 'uint256', 'uint64', 'uint256', 'uint256', 'address']

/** Deploys a token of its own unless one is given, a venue, and the two pools. */
export async function startSavings(world: World, token?: Address) {
  const artifacts = Object.fromEntries(
    await Promise.all(
      (['DepositPoolV2', 'CreditPool', 'MockVenueAdapter', 'MockPoolToken'] as const).map(async (name) => [name, await loadArtifact(name)]),
    ),
  ) as Record<ContractName, Awaited<ReturnType<typeof loadArtifact>>>
  const create = (name: ContractName, ...args: readonly unknown[]) => world.create(who.owner, artifacts[name], ...args)
  const asset = token ?? (await create('MockPoolToken', 6))
  const venue = await create('MockVenueAdapter', asset, who.owner)
  const nonce = BigInt((await world.rpc('eth_getTransactionCount', who.owner, 'latest')) as Hex)
  const predicted = getContractAddress({ from: who.owner, nonce: nonce + 1n })
  const pool = await create('DepositPoolV2', asset, who.operator, venue, predicted)
  const credit = await create('CreditPool', asset, who.creditOperator, pool)
  const calls = callsOf<SavingsKey>(world, {
    pool: { address: pool, prefix: 'POOL', abi: artifacts.DepositPoolV2.abi },
    credit: { address: credit, prefix: 'CREDIT', abi: artifacts.CreditPool.abi },
    venue: { address: venue, prefix: 'VENUE', abi: artifacts.MockVenueAdapter.abi },
    token: { address: asset, prefix: 'TOK', abi: artifacts.MockPoolToken.abi },
  })
  const { at, run, read } = calls
  const number = async (key: SavingsKey, name: string, ...args: readonly unknown[]) => BigInt(String(await read(key, name, ...args)))
  const enter = async (key: 'pool' | 'credit', account: Address, assets: bigint): Promise<void> => {
    await run(account, 'token', 'mint', account, assets)
    await run(account, 'token', 'approve', at[key], UNLIMITED)
    await run(account, key, 'deposit', assets, account)
  }
  const loanId = async (account: Address) => (await read('credit', 'previewLoanId', account)) as Hex

  return {
    world,
    ...calls,
    number,
    loanId,
    /** Tokens, allowance and a deposit. */
    enter,
    /** The token keeps this much of the next transfer of an account. */
    keepsUnits: async (account: Address, units: bigint): Promise<void> => {
      await run(account, 'token', 'mint', account, 10n)
      await run(account, 'token', 'misbehave', units, false, '0x')
    },
    /** A pledge for the next loan. */
    pledge: async (account: Address, shares: bigint): Promise<Hex> => {
      const id = await loanId(account)
      await run(account, 'pool', 'pledge', shares, id)
      return id
    },
    /** Arguments of `originate`, signed by the operator of the credit pool or by another key. */
    loan: async (account: Address, shares: bigint, amount: bigint, vested: bigint, more: { validUntil?: bigint; key?: Hex } = {}) => {
      const { validUntil = 4_000_000_000n, key = CREDIT_OPERATOR_KEY } = more
      const [typeHash, id, nonce, chainId] = await Promise.all([
        read('credit', 'VESTING_ATTESTATION_TYPEHASH'),
        loanId(account),
        read('credit', 'vestingAttestationNonces', account),
        world.client.getChainId(),
      ])
      const values = [typeHash, account, id, shares, amount, vested, validUntil, nonce, chainId, at.credit]
      const raw = keccak256(
        encodeAbiParameters(
          VESTING_FIELDS.map((type) => ({ type })),
          values,
        ),
      )
      return [shares, amount, vested, validUntil, await privateKeyToAccount(key).signMessage({ message: { raw } })] as const
    },
    /** The id of the venue's last request. */
    lastRequest: async () => (await read('venue', 'lastRequestId')) as Hex,
    /** Lets the venue answer a request as it stands, with changes. */
    settle: async (requestId: Hex, changes: Readonly<Record<string, unknown>>, payout = 0n): Promise<void> => {
      const request = (await read('venue', 'getRequest', requestId)) as object
      await run(who.owner, 'venue', 'answer', requestId, { ...request, ...changes }, payout)
    },
    create,
    /** `it passed`, or why a contract of the savings cannot be deployed. */
    deployment: (name: ContractName, ...args: readonly unknown[]): Promise<string> =>
      create(name, ...args).then(
        () => 'it passed',
        (error: Error) => error.message,
      ),
  }
}

/** A call, its answer, its caller, its arguments, and what happened before; the arguments may use its result. */
export type PoolRow = readonly [
  call: string,
  answer: string,
  from: keyof typeof who | SavingsKey,
  args: readonly unknown[] | ((before: Hex) => readonly unknown[] | Promise<readonly unknown[]>),
  before?: () => Promise<unknown>,
]

/** The answer of one of the pools to the call of a row. */
export const answerTo = async (savings: Savings, key: 'pool' | 'credit', [call, , from, args, before]: PoolRow): Promise<string> => {
  const result = (await before?.()) as Hex
  const caller = from in savings.at ? savings.at[from as SavingsKey] : who[from as keyof typeof who]
  return savings.refusal(caller, key, call, ...(typeof args === 'function' ? await args(result) : args))
}

/** Several steps before a call, with the result of the first. */
export const inOrder =
  (first: () => Promise<unknown>, ...others: readonly (() => Promise<unknown>)[]) =>
  async (): Promise<unknown> => {
    const result = await first()
    for (const step of others) await step()
    return result
  }

/** Names of the errors of an interface that no answer contains. */
export const errorsWithout = (abi: Abi, answers: readonly string[]): string[] => {
  const provoked = new Set(answers.map((text) => text.split('(')[0]))
  return abi.flatMap((item) => (item.type === 'error' && !provoked.has(item.name) ? [item.name] : []))
}

/** Pretends that a call of a contract is running: the flag is the first byte of storage. */
export const hold = ({ world }: Savings, address: Address) => world.rpc('anvil_setStorageAt', address, '0x0', toHex(1n, { size: 32 }))
