import { writeFileSync } from 'node:fs'
import { expect } from '@jest/globals'
import { checkDeployment } from '../../../contracts/check.ts'
import { deploymentPlan } from '../../../contracts/deployment/plan.ts'
import { type Cut, nonceOf, noncesIn, openWay, POINTS, type Point } from './cuts.ts'
import { DEPLOYER, DEPLOYER_KEY, openPlace, type Place, readFile, wholeConfig, writeKey } from './deployed.ts'

/** Steps of the whole deployment. */
export const STEPS: readonly string[] = deploymentPlan(wholeConfig, DEPLOYER).steps.map(({ name }) => name)

/** A step at a point. */
export type StepCut = readonly [step: number, point: Point]
export const EVERY_CUT: readonly StepCut[] = STEPS.flatMap((_, step) => POINTS.map((point): StepCut => [step, point]))

/** Transactions that the command sends before a step, after a cut that left the chain there. */
const nthOf = (step: number, sentBefore: number): number => step - sentBefore + 1

/** How many transactions a resumed command does not send any more: the mined ones. */
const minedBefore = (place: Place): Promise<number> => nonceOf(place, DEPLOYER)

/** Deploys with a kill at each of some points, in order; then to the end. */
export async function sweep(cuts: readonly StepCut[]): Promise<void> {
  const place = await openPlace()
  const way = await openWay(place)
  try {
    const [config, key, out] = [place.path('config.json'), place.path('deployer.key'), place.path('chain.json')]
    writeFileSync(config, JSON.stringify(wholeConfig))
    writeKey(key, DEPLOYER_KEY)
    const args = ['deploy', '--rpc', way.url, '--config', config, '--deployer-key-file', key, '--out', out]
    for (const [step, point] of cuts) {
      const at: Cut = { nth: nthOf(step, await minedBefore(place)), point }
      expect([STEPS[step], point, (await way.run(args, at)).wasCut]).toEqual([STEPS[step], point, true])
    }
    const end = await way.run(args)
    expect([end.code, end.output]).toEqual([0, expect.stringContaining('can still do:\n  may take the ownership back')])
    const again = await way.run(args)
    expect([again.code, again.output]).toEqual([0, expect.not.stringContaining('done in block')])
    const expected = STEPS.map((_, nonce) => nonce)
    expect(noncesIn(`${out}.journal.jsonl`)).toEqual(expected)
    expect(await nonceOf(place, DEPLOYER)).toBe(STEPS.length)
    const names = (await checkDeployment(place.client, readFile(out))).map(({ name }) => name)
    expect(names.filter((name) => !/^(gas|bank)\.|operatorPrincipalShares$/.test(name))).toEqual(['policy.owner'])
  } finally {
    way.close()
    await place.anvil.stop()
  }
}
