import { formatEther, parseEther } from 'viem'
import { z } from 'zod'
import { isProblem } from '../../../client/src/problems.ts'
import { createNativeSide, describeStanding, type NativeStanding } from '../../chain/native-side.ts'
import type { Outcome, StackPlace } from '../place.ts'
import { waivedFlow } from '../starter-flow.ts'
import { createNativeAgent, type NativeAgent } from './agent.ts'

/** What the account holds on the native side at first, wei. */
const FUNDS_WEI = parseEther('1')

/** What the refusal of an unmapped account says, as far as the demo shows it. */
const Remedy = z.object({
  payoutAddress: z.string(),
  remedy: z.object({ pallet: z.string(), call: z.string(), undo: z.string() }),
  deposit: z.object({ asset: z.string(), raw: z.string(), decimals: z.int(), display: z.string(), heldReason: z.string() }),
})
type Remedy = z.infer<typeof Remedy>

/** What the native side held of the account at each moment. */
interface NativeStandings {
  funded: NativeStanding
  mapped: NativeStanding
  unmapped: NativeStanding
}

/** Asks for a job that the account cannot have. Answers what the refusal says, and throws where there was none. */
const claimUnmapped = async ({ client }: NativeAgent): Promise<Remedy> => {
  const { jobs } = await client.listJobs({ format: 'compact', tier: 'starter', limit: 1 })
  const [job] = jobs
  if (job === undefined) throw new Error('no job is open: start the stack again, it tops the catalogue up')
  try {
    await client.claimJob({ jobId: job.id })
  } catch (error) {
    if (isProblem(error, 'native_account_mapping_required')) return Remedy.parse(error.details)
    throw error
  }
  throw new Error('a native account without a mapping could claim')
}

const describeRemedy = ({ payoutAddress, remedy, deposit }: Remedy): string =>
  `${remedy.pallet}.${remedy.call} maps it to ${payoutAddress}; ${deposit.display} ${deposit.asset} are held until ${remedy.undo}`

/** What the native side did not do as it should; empty when the whole deposit came back. */
export const depositDifferences = ({ funded, mapped, unmapped }: NativeStandings, depositWei: bigint): string[] => {
  const expected = {
    funded: { freeWei: FUNDS_WEI, heldWei: 0n, mapping: 'unmapped' },
    mapped: { freeWei: FUNDS_WEI - depositWei, heldWei: depositWei, mapping: 'mapped' },
    unmapped: { freeWei: FUNDS_WEI, heldWei: 0n, mapping: 'unmapped' },
  } as const
  return Object.entries({ funded, mapped, unmapped }).flatMap(([moment, found]) => {
    const wanted = expected[moment as keyof typeof expected]
    const isEqual = found.freeWei === wanted.freeWei && found.heldWei === wanted.heldWei && found.mapping === wanted.mapping
    const words = ({ freeWei, heldWei, mapping }: NativeStanding): string =>
      `free ${formatEther(freeWei)}, held ${formatEther(heldWei)}, ${mapping}`
    return isEqual ? [] : [`${moment}: ${words(found)}, not ${words(wanted)}`]
  })
}

/** A deposit of the native side in wei, which has more decimals. */
const toWei = ({ raw, decimals }: Remedy['deposit'], ethereumDecimals: number): bigint =>
  BigInt(raw) * 10n ** BigInt(ethereumDecimals - decimals)

/** What the native flow ended with. */
export interface NativeOutcome {
  outcome: Outcome
  /** Differences between what the native side should hold and what it held. */
  differences: string[]
}

/**
 * A new native account signs in, cannot earn, is mapped, earns and is unmapped again. The amounts of its deposit are those that the refusal of
 * the service stated.
 */
export const nativeFlow = async (place: StackPlace, agent: NativeAgent = createNativeAgent(place.base)): Promise<NativeOutcome> => {
  const { report, chainFile, info } = place
  const side = createNativeSide(info.rpcUrl)
  const { native } = agent
  const show = async (name: string, run: () => Promise<void>): Promise<NativeStanding> =>
    report.step(
      name,
      async () => {
        await run()
        return side.standingOf(native)
      },
      (standing) => describeStanding(standing, chainFile.nativeSymbol),
    )
  await report.step(
    'sign-in-with-a-native-account',
    () => agent.client.signIn(),
    ({ wallet }) => `${native.ss58}, paid at ${wallet}`,
  )
  const funded = await show('fund-the-native-account', () => side.fund(native, FUNDS_WEI))
  const remedy = await report.step('claim-before-the-mapping', () => claimUnmapped(agent), describeRemedy)
  const mapped = await show('map-the-account', () => side.map(native))
  await report.step(
    'read-the-mapping-at-the-service',
    () => agent.client.getAuthSession(),
    ({ mapping }) => mapping?.status ?? 'unknown',
  )
  const outcome = await waivedFlow(place, agent)
  const unmapped = await show('unmap-the-account', () => side.unmap(native))
  const depositWei = toWei(remedy.deposit, chainFile.nativeDecimals)
  return { outcome, differences: depositDifferences({ funded, mapped, unmapped }, depositWei) }
}
