import { afterEach, describe, expect, test } from '@jest/globals'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { json, type Script } from '../support/scripted-service.ts'

let chain: ScriptedChain
afterEach(() => chain.close())

const OWN = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
const signedInAt = '2026-01-02T03:04:05.000Z'
const row = (sessionId: string, more: object = {}) => ({ sessionId, current: sessionId === OWN, signedInAt, ...more })

/** A service with two sign-ins on two pages, which ends what it is asked to end. */
const start = async (ended: string[] = []): Promise<void> => {
  const list: Script = ({ url }, response) =>
    url.includes('cursor=next')
      ? json(response, 200, { items: [row(OWN, { lastUsedAt: '2026-01-02T04:00:00.000Z', network: '203.0.113.0/24' })], nextCursor: null })
      : json(response, 200, { items: [row(OTHER, { lastUsedAt: null, network: null })], nextCursor: 'next' })
  chain = await startScriptedChain({
    'GET /auth/sessions': list,
    'POST /auth/sessions/revoke': (_request, response) => json(response, 200, { ended }),
  })
}
const sent = () => chain.service.of('POST /auth/sessions/revoke').map(({ body }) => JSON.parse(body))

describe('the command sessions', () => {
  test('lists every page, for programs and for people, and ends nothing', async () => {
    await start()
    const { exit, document } = await chain.run(['sessions'])
    expect([exit, document.items.map(({ sessionId }: { sessionId: string }) => sessionId)]).toEqual([0, [OTHER, OWN]])
    const { out } = await chain.runForPeople(['sessions'])
    expect(out.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      'SIGN-IN | SINCE | LAST USED | NETWORK',
      `${OTHER} | 2026-01-02 03:04:05Z`,
      `${OWN} * | 2026-01-02 03:04:05Z | 2026-01-02 04:00:00Z | 203.0.113.0/24`,
      '',
      '* The one of this command.',
      '',
    ])
    expect(sent()).toEqual([])
  })

  test.each<[string, string[], object, string[], boolean]>([
    ['--revoke of another', ['--revoke', OTHER], { sessionId: OTHER }, [OTHER], true],
    ['--revoke of the own', ['--revoke', OWN], { sessionId: OWN }, [OWN], false],
    ['--others', ['--others'], { allBut: 'this' }, [OTHER], true],
    ['--all', ['--all'], { all: true }, [OTHER, OWN], false],
  ])('with %s ends that, and forgets a token that has ended', async (_name, options, body, ended, isKept) => {
    await start(ended)
    const { exit, document } = await chain.run(['sessions', ...options])
    expect([exit, document]).toEqual([0, { ended }])
    expect(sent()).toEqual([body])
    expect(chain.state.readSession() !== undefined).toBe(isKept)
  })

  test('says what has ended, or that nothing was left', async () => {
    await start([OTHER])
    expect((await chain.runForPeople(['sessions', '--others'])).out).toBe(`${OTHER} has ended.\n`)
    await chain.close()
    await start([])
    expect((await chain.runForPeople(['sessions', '--others'])).out).toBe('No other sign-in is open.\n')
  })

  test.each([[['--all', '--others']], [['--all', '--revoke', OTHER]]])('refuses %s together', async (options) => {
    await start()
    const { exit, document } = await chain.run(['sessions', ...options])
    expect([exit, document.code]).toEqual([2, 'usage'])
    expect(chain.service.received).toEqual([])
  })
})
