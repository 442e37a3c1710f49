import { eventsRecorded, type WebhookProgress, webhookTest } from '../../../schemas/webhooks/process.ts'
import { type Engine, MINUTE, until } from '../support/engine.ts'
import type { Scenario } from './scenario.ts'

type Way = Omit<Scenario, 'workflowType'>

export const ENDPOINT = `wh_${'a'.repeat(32)}`
const at = (state: WebhookProgress['state'], dueAt: number | null = null): WebhookProgress => ({
  state,
  dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
  details: `The endpoint is ${state}.`,
})

/** Plays one round of deliveries after the other; the last one stays. */
export const roundsEnd = ({ service }: Engine, ends: readonly WebhookProgress[]): void => {
  let rounds = 0
  service.replay({ deliverEvents: async () => ends[Math.min(rounds++, ends.length - 1)] ?? at('deleted') })
}
const rounds = ({ service }: Engine): number => service.callsOf('deliverEvents').length

export const WEBHOOKS: readonly Way[] = [
  {
    ending: 'webhook-delivered-tested-and-deleted',
    result: { state: 'deleted' },
    through: { deliverEvents: 4, deliverTestEvent: 1 },
    play: async (engine) => {
      roundsEnd(engine, [at('delivering'), at('waiting'), at('waiting'), at('deleted')])
      const handle = await engine.beginWebhook(ENDPOINT)
      await until(() => rounds(engine) === 2)
      await handle.signal(eventsRecorded)
      await until(() => rounds(engine) === 3)
      await handle.executeUpdate(webhookTest, { args: [{ requestId: 'r-1' }] })
      await handle.signal(eventsRecorded)
      return handle
    },
  },
  {
    ending: 'webhook-failed-until-it-was-paused',
    result: { state: 'paused' },
    through: { deliverEvents: 3 },
    play: async (engine) => {
      const next = engine.now() + 10 * MINUTE
      roundsEnd(engine, [at('retrying', next), at('retrying', next + 10 * MINUTE), at('paused')])
      const handle = await engine.beginWebhook(ENDPOINT)
      await until(() => rounds(engine) === 1)
      await engine.move(11 * MINUTE)
      await until(() => rounds(engine) === 2)
      await engine.move(11 * MINUTE)
      return handle
    },
  },
  {
    ending: 'webhook-of-many-events-goes-on-in-a-new-run',
    result: {},
    through: { deliverEvents: 5 },
    longAfter: 40,
    play: async (engine) => {
      roundsEnd(engine, [at('delivering')])
      const handle = await engine.beginWebhook(ENDPOINT)
      const { runId } = await handle.describe()
      await until(async () => (await handle.describe()).runId !== runId)
      await handle.terminate('The run before it is the one that is kept.')
      return engine.client.workflow.getHandle(handle.workflowId, runId, { followRuns: false })
    },
  },
]
