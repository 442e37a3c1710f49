import { localKey } from '../../../local/keys.ts'
import type { CrashWorld } from '../crash-world.ts'

const fault = (who: string, name: string, wanted: unknown, got: unknown): string[] =>
  wanted === got ? [] : [`${who}: ${name} ${got} in place of ${wanted}`]

/** A reverted transaction is mined as well: the chain has counted its nonce. */
const ENDED: ReadonlySet<string> = new Set(['mined', 'reverted'])

/** What is wrong between a signer's journal and the chain: a nonce left out, used twice, or not known to be mined. */
const faultsOf = async ({ database: { rows }, view }: CrashWorld, who: 'operator' | 'verifier' | 'arbitrator'): Promise<string[]> => {
  const { address } = localKey(who)
  const signer = address.toLowerCase()
  const sent = await rows
    .selectFrom('chain_transaction')
    .select(['nonce', 'status'])
    .where('signer', '=', signer)
    .orderBy('nonce')
    .execute()
  const next = await rows.selectFrom('chain_nonce').select('nextNonce').where('signer', '=', signer).executeTakeFirst()
  const [mined, pending] = await Promise.all(
    (['latest', 'pending'] as const).map((blockTag) => view.client.getTransactionCount({ address, blockTag })),
  )
  const first = sent[0]?.nonce ?? 0
  return [
    ...fault(who, 'next nonce', mined, next?.nextNonce ?? 0),
    ...fault(who, 'pending count', mined, pending),
    ...fault(who, 'nonces', sent.map((_row, index) => first + index).join(), sent.map(({ nonce }) => nonce).join()),
    ...sent.flatMap(({ nonce, status }) => (ENDED.has(status) ? [] : fault(who, `status of nonce ${nonce}`, 'mined', status))),
  ]
}

/** What is wrong with the nonces of the service's signers. */
export const nonceFaults = async (world: CrashWorld): Promise<string[]> =>
  (await Promise.all((['operator', 'verifier', 'arbitrator'] as const).map((who) => faultsOf(world, who)))).flat()
