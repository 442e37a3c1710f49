import { sql } from 'kysely'
import { erc20Abi, type Hex } from 'viem'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { type Audit, type Check, eventsOf, mapPages, sumRaw } from './context.ts'

/** Holders that recorded events of the account contract name, by asset; lower case. */
const readHolders = async (audit: Audit): Promise<Map<string, string[]>> => {
  const found = await sql<{ asset: string; holder: string }>`
    select distinct e.args->>'asset' as asset, member.value as holder
    from chain_event e cross join lateral jsonb_each_text(e.args) member
    where ${eventsOf(audit, audit.chain.contracts.agentAccount.address)}
      and e.args->>'asset' is not null and member.key <> 'asset' and member.value ~ '^0x[0-9a-f]{40}$'`.execute(audit.rows)
  const holders = Map.groupBy(found.rows, ({ asset }) => asset)
  return new Map([...holders].map(([asset, rows]) => [asset, rows.map(({ holder }) => holder)]))
}

/** Tokens that the contract holds for an account. A debt is money that was lent out of them. */
const readHeld = async ({ client, chain, block }: Audit, asset: string, holder: string): Promise<bigint> => {
  const [liquid, reserved, , collateral, stake, debt] = await client.readContract({
    address: chain.contracts.agentAccount.address as Hex,
    abi: agentAccountCoreAbi,
    functionName: 'positions',
    args: [holder as Hex, asset as Hex],
    blockNumber: block.number,
  })
  return liquid + reserved + collateral + stake - debt
}

/** Compares the positions with the tokens of the account contract. What a strategy holds is outside of it. */
export const checkAccountPositions: Check = async (audit, add) => {
  const { client, chain, block } = audit
  const account = chain.contracts.agentAccount.address as Hex
  const holders = await readHolders(audit)
  for (const asset of new Set([chain.asset.address.toLowerCase(), ...holders.keys()])) {
    const held = sumRaw(await mapPages(holders.get(asset) ?? [], (holder) => readHeld(audit, asset, holder)))
    const balance = await client.readContract({
      address: asset as Hex,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
      blockNumber: block.number,
    } as const)
    if (held !== balance)
      add({
        subject: `asset ${asset} of ${account} at block ${block.number}`,
        expected: `${held} in positions`,
        found: `${balance} tokens`,
      })
  }
}
