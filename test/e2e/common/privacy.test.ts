import { beforeAll, describe, expect, test } from '@jest/globals'
import type { OperationId } from '../../../schemas/operations/registry.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import type { Agent, Reply } from '../support/http.ts'
import { useWorld } from '../support/world.ts'
import { COMPARED, NEVER_SEEN, PUBLIC, prepareWithdrawnWallet, type Subject } from './private-wallets.ts'

const world = useWorld({ shared: true })

const IGNORED = ['x-request-id', 'date', 'content-length', 'ratelimit', 'ratelimit-policy', 'etag']
/** What a reader sees, without counts over all wallets: other files work on the stack meanwhile. */
const shown = ({ status, headers, body }: Reply) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !IGNORED.includes(name))),
  body: { ...body, requestId: null, aggregate: null },
})

describe('a wallet that did not consent looks like one that was never seen', () => {
  let agent: Agent
  let worked: Subject

  beforeAll(async () => {
    ;({ agent, worked } = await prepareWithdrawnWallet(world()))
  })

  test('every public operation that can name a wallet is in the table', () => {
    const named = (text: object): boolean => /wallet|sessionId|agent/i.test(JSON.stringify(text))
    const open = operationList.filter(({ auth, params, query, path }) => {
      const members = [...Object.keys(params?.shape ?? {}), ...Object.keys(query?.shape ?? {}), path]
      return auth.includes('anonymous') && named(members)
    })
    expect(open.map(({ id }) => id).filter((id) => PUBLIC[id as OperationId] === undefined)).toEqual([])
  })

  test.each(COMPARED)('%s', async (_id, pathOf) => {
    const [ofWorked, ofNever] = [await world().call(pathOf(worked)), await world().call(pathOf(NEVER_SEEN))]
    expect(shown(ofWorked)).toEqual(shown(ofNever))
    expect(ofWorked.text).not.toContain(worked.wallet.slice(2))
  })

  test('its own token reads the profile, and only its own', async () => {
    expect((await agent.get(`/agents/${worked.wallet}`)).stats.approvedCount).toBe(1)
    const stranger = await world().agent()
    await stranger.get(`/agents/${worked.wallet}`, 404)
  })
})
