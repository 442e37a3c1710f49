import { sql } from 'kysely'
import type { Hex } from 'viem'
import { creditPoolAbi } from '../../chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../../chain/abi/deposit-pool.ts'
import { awaitMembers } from '../../chain/block-reads.ts'
import { type AddFinding, type Audit, type Check, eventsOf, mapPages, sumRaw } from '../context.ts'

const LOAN_ACTIVE = 1
/** Value of a holder that its rounded price leaves out, base units. */
const DUST_PER_HOLDER = 1n

const readArguments = async (audit: Audit, address: string, events: readonly string[], member: string): Promise<Hex[]> => {
  const found = await sql<{ value: Hex }>`
    select distinct args->>${sql.lit(member)} as value from chain_event
    where ${eventsOf(audit, address)} and event = any(${[...events]}) and args->>${sql.lit(member)} is not null`.execute(audit.rows)
  return found.rows.map(({ value }) => value)
}

/** Compares shares and value of a pool's holders with the pool. Both pools have the same reads of shares. */
const checkShares = async (audit: Audit, address: string, add: AddFinding): Promise<void> => {
  const { client, block } = audit
  const at = { address: address as Hex, abi: depositPoolAbi, blockNumber: block.number } as const
  const { supplyRaw, assetsRaw } = await awaitMembers({
    supplyRaw: client.readContract({ ...at, functionName: 'totalSupply' }),
    assetsRaw: client.readContract({ ...at, functionName: 'totalAssets' }),
  })
  const holders = await readArguments(audit, address, ['Transfer'], 'to')
  const held = await mapPages(holders, (holder) =>
    awaitMembers({
      sharesRaw: client.readContract({ ...at, functionName: 'balanceOf', args: [holder] }),
      valueRaw: client.readContract({ ...at, functionName: 'assetsOf', args: [holder] }),
    }),
  )
  const subject = `${address} at block ${block.number}`
  const sharesRaw = sumRaw(held.map((one) => one.sharesRaw))
  if (sharesRaw !== supplyRaw) add({ subject, expected: `${supplyRaw} shares of all holders`, found: `${sharesRaw}` })
  const valueRaw = sumRaw(held.map((one) => one.valueRaw))
  const leastRaw = assetsRaw - DUST_PER_HOLDER * BigInt(holders.length)
  // Tokens that reached a pool without shares belong to its next depositor.
  if (supplyRaw > 0n && (valueRaw < leastRaw || valueRaw > assetsRaw))
    add({ subject, expected: `a value of all shares between ${leastRaw} and ${assetsRaw}`, found: `${valueRaw}` })
}

export const checkDepositPool: Check = async (audit, add) => {
  const { depositPool } = audit.chain.contracts
  if (depositPool) await checkShares(audit, depositPool.address, add)
}

export const checkCreditPool: Check = async (audit, add) => {
  const { creditPool } = audit.chain.contracts
  if (creditPool) await checkShares(audit, creditPool.address, add)
}

/** Compares each recorded loan with the chain, and the open ones with the totals of the credit pool. */
export const checkLoans: Check = async (audit, add) => {
  const { client, block, chain } = audit
  const { creditPool } = chain.contracts
  if (!creditPool) return
  const { address } = creditPool
  const at = { address: address as Hex, abi: creditPoolAbi, blockNumber: block.number } as const
  const closed = new Set(await readArguments(audit, address, ['LoanClosed'], 'loanId'))
  const ids = await readArguments(audit, address, ['LoanOriginated', 'LoanClosed'], 'loanId')
  const loans = await mapPages(ids, async (id) => {
    const [, , principalRaw, , pledgedRaw, , , status] = await client.readContract({ ...at, functionName: 'loans', args: [id] })
    const isOpen = status === LOAN_ACTIVE
    if (isOpen === closed.has(id))
      add({ subject: `loan ${id}`, expected: isOpen ? 'open, as on chain' : 'closed, as on chain', found: isOpen ? 'closed' : 'open' })
    return isOpen ? { principalRaw, pledgedRaw } : { principalRaw: 0n, pledgedRaw: 0n }
  })
  const totals = await awaitMembers({
    principalRaw: client.readContract({ ...at, functionName: 'principalOutstanding' }),
    pledgedRaw: client.readContract({ ...at, functionName: 'totalPledgedShares' }),
  })
  for (const [member, name] of [['principalRaw', 'principal'] as const, ['pledgedRaw', 'pledged shares'] as const]) {
    const sum = sumRaw(loans.map((loan) => loan[member]))
    if (sum !== totals[member])
      add({ subject: `${address} at block ${block.number}`, expected: `${totals[member]} ${name} of open loans`, found: `${sum}` })
  }
}

/** Compares the active pledges of each wallet with its pledged shares. */
export const checkPledges: Check = async (audit, add) => {
  const { client, block, chain } = audit
  const { depositPool } = chain.contracts
  if (!depositPool) return
  const at = { address: depositPool.address as Hex, abi: depositPoolAbi, blockNumber: block.number } as const
  const pledges = await mapPages(await readArguments(audit, depositPool.address, ['SharesPledged'], 'loanId'), async (id) => {
    const [owner, shares, active] = await client.readContract({ ...at, functionName: 'pledges', args: [id] })
    return { owner: owner.toLowerCase(), activeRaw: active ? shares : 0n }
  })
  const holders = await readArguments(audit, depositPool.address, ['Transfer'], 'to')
  const ofOwner = Map.groupBy(pledges, ({ owner }) => owner)
  await mapPages(holders, async (holder) => {
    const pledgedRaw = await client.readContract({ ...at, functionName: 'pledgedShares', args: [holder] })
    const activeRaw = sumRaw((ofOwner.get(holder) ?? []).map((pledge) => pledge.activeRaw))
    if (pledgedRaw !== activeRaw) add({ subject: `wallet ${holder}`, expected: `${pledgedRaw} pledged shares`, found: `${activeRaw}` })
  })
}
