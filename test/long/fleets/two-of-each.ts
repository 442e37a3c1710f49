// One fleet of two APIs and two workers. A module that registers tests on it is imported by two-of-each.test.ts.
import { afterAll, beforeAll } from '@jest/globals'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { localKey } from '../../../local/keys.ts'
import { createLocalSources } from '../../../local/sources/all.ts'
import { type LocalSources, sourceSettings, startSources } from '../../../local/sources/server.ts'
import { extraWallet } from '../../e2e/support/mutations.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { WEBHOOK_HOST } from '../../support/webhooks/receiver.ts'

/** After which a follower that reads no new block counts as lagging. */
export const LAG_SECONDS = 5
/** Wallets with the same roles as the world's own admin and verifier. */
export const extra = { admin: extraWallet(), verifier: extraWallet() }
const both = (first: string, second: string): string => `${first},${second}`

let opened: FleetWorld | undefined
let sources: LocalSources | undefined
let codehost: LocalCodehost | undefined
beforeAll(async () => {
  ;[sources, codehost] = await Promise.all([startSources({ sources: createLocalSources }), startCodehost()])
  opened = await openFleet({
    apis: 2,
    workers: 2,
    env: {
      ...sourceSettings(sources.url),
      ...codehostSettings(codehost.url),
      ADMIN_WALLETS: both(localKey('admin').address, extra.admin.address),
      CHAIN_LAG_SECONDS: String(LAG_SECONDS),
      LOCAL_CALLER_HOSTS: both(WEBHOOK_HOST, sources.host),
      VERIFIER_WALLETS: both(localKey('verifier').address, extra.verifier.address),
    },
  })
})
afterAll(async () => {
  await opened?.close()
  await Promise.all([sources?.stop(), codehost?.stop()])
})

export const openedWorld = (): FleetWorld => {
  if (opened === undefined) throw new Error('the fleet does not run')
  return opened
}
