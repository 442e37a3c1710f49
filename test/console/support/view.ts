import type { OperationId } from '../../../client/src/index.ts'
import { readSettings } from '../../../console/settings.ts'
import type { View } from '../../../console/view.ts'

/** Time of every scripted view. */
export const NOW = Date.parse('2026-12-01T12:00:00.000Z')

type Answers = Partial<Record<OperationId, unknown>>

/** A view over scripted answers, each for one operation; the reader may call exactly these. `calls` has what was asked for. */
export const scriptedView = (path: string, query: Record<string, string>, answers: Answers, roles: readonly string[] = ['admin']) => {
  const calls: [operation: string, input: unknown][] = []
  const call = async (operation: string, input: unknown) => {
    calls.push([operation, input])
    return answers[operation as OperationId]
  }
  const client = new Proxy({}, { get: (_, name) => (input: unknown) => call(String(name), input) })
  const view = {
    client,
    access: {
      ...{ subject: '0x1', wallet: '0x1', roles, kind: 'wallet', refreshableUntil: null },
      expiresAt: '2026-12-02T00:00:00.000Z',
      may: (operation: OperationId) => Object.hasOwn(answers, operation),
    },
    settings: readSettings({ TEMPORAL_UI_URL: 'http://127.0.0.1:8233' }),
    path,
    query,
    now: NOW,
  } as unknown as View
  return { view, calls }
}

/** An amount of an answer in a token of six decimals. */
export const usdc = (raw: bigint, display: string) => ({ asset: 'USDC', raw, decimals: 6, display })
