// A second API and a second worker beside those of a running stack, started by the npm scripts with the settings file of the stack.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { choosePorts } from '../../../local/ports.ts'
import { demoFlow, flowsWhile, restart } from '../../e2e/support/demo-flow.ts'
import { createNpmService } from '../../e2e/support/npm-service.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { useDirectory } from '../../local/support/directory.ts'
import { isLive } from '../../support/fleet/fleet.ts'
import { startLoadBalancer } from '../../support/fleet/load-balancer.ts'

const RESTARTS = 2

const directory = useDirectory()
const world = useWorld()
let opened: Awaited<ReturnType<typeof open>> | undefined

const open = async () => {
  const { info, chain, view, admin } = world()
  const servers: string[] = []
  const balancer = await startLoadBalancer(() => servers)
  const { ports, release } = await choosePorts({ api: 0, metrics: 0 })
  const joinedBase = `http://127.0.0.1:${ports.api}`
  servers.push(world().base, joinedBase)

  // A service needs no more than the stack's settings to join it.
  const shared = Object.fromEntries(
    Object.entries(parseEnv(readFileSync(info.serviceEnv, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  )
  const shell = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  const settings: Record<string, string> = { ...shell, ...shared, PORT: String(ports.api), WORKER_METRICS_PORT: String(ports.metrics) }
  const api = createNpmService({ script: 'api', directory, settings, isReady: () => isLive(joinedBase) })
  const worker = createNpmService({ script: 'worker', directory, settings, isReady: (log) => log.includes('worker ready') })
  await Promise.all([api.start(), worker.start()])

  return {
    balancer,
    settings,
    api,
    worker,
    joinedBase,
    place: { base: balancer.base, publicBase: world().base, admin, chain: view, asset: chain.asset },
    close: async () => {
      await balancer.close()
      for (const service of [api, worker]) service.close()
      release()
    },
  }
}

beforeAll(async () => {
  opened = await open()
})
afterAll(() => opened?.close())

const joined = () => {
  if (opened === undefined) throw new Error('the joined services do not run')
  return opened
}

/** Lines that a joined service wrote of steps it did or requests it answered. */
const didWork = (service: 'api' | 'worker', word: string): boolean => readFileSync(`${directory}/${service}.log`, 'utf8').includes(word)

test('the flow of the demo runs on two APIs and two workers', async () => {
  const { settings, place, balancer } = joined()
  const { temporalAddress, databaseUrl, chainFile } = world().info
  expect([settings.TEMPORAL_ADDRESS, settings.DATABASE_URL, settings.CHAIN_FILE]).toEqual([temporalAddress, databaseUrl, chainFile])
  while (!didWork('worker', '"step done"')) expect(await demoFlow(place)).toEqual([])
  expect(balancer.lost()).toEqual([])
})

test('the flow of the demo loses no request while one API and one worker are restarted after every flow', async () => {
  const { place, balancer, api, worker, joinedBase } = joined()
  const restartApi = () => balancer.without(joinedBase, () => restart('npm run api', api))
  const pair = () => Promise.all([restartApi(), restart('npm run worker', worker)])
  const { flows, restarts } = await flowsWhile(place, RESTARTS, pair)
  const inOrder = ['npm run api', 'npm run worker'].map((name) => ({ name, ended: 'in order and in time', isAnother: true }))
  expect(restarts).toEqual(Array.from({ length: RESTARTS }, () => inOrder).flat())
  expect(flows.length).toBeGreaterThan(RESTARTS)
  expect([balancer.lost(), flows.flat()]).toEqual([[], []])
  expect([api.isUp(), worker.isUp()]).toEqual([true, true])
})
