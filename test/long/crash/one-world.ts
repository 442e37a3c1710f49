// One crash world. A module that registers tests on it is imported by one-world.test.ts.
import { afterAll, beforeAll } from '@jest/globals'
import { type CrashWorld, openCrashWorld } from '../../crash/crash-world.ts'

let opened: CrashWorld | undefined
/** What ended though no test killed it, as the world reported it at once. */
export const deaths: string[] = []
beforeAll(async () => {
  opened = await openCrashWorld({ onDeath: (death) => deaths.push(death) })
})
afterAll(() => opened?.close())

export const openedWorld = (): CrashWorld => {
  if (opened === undefined) throw new Error('the world did not open')
  return opened
}
