// Encrypted histories in the Temporal UI: the console decrypts them for an operator who has signed in, and for no other.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Connection } from '@temporalio/client'
import { type Browser, chromium } from 'playwright-core'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { claim, createJob, fundedAgent } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { cookieOf } from '../console/reader.ts'
import { EXECUTABLE } from '../support/chromium.ts'

const world = useWorld({ env: { PAYLOAD_KEYS: `first:${randomBytes(32).toString('base64')}` } })
let connection: Connection
let browser: Browser | undefined
beforeAll(async () => {
  connection = await Connection.connect({ address: world().info.temporalAddress })
  if (EXECUTABLE !== undefined) browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  await connection?.close()
})

const addresses = () => {
  const { console: site = '', temporalUi = '' } = world().info
  return { site, ui: temporalUi }
}

/** A claim, and the input of its process as the engine keeps it. */
const claimed = async () => {
  const agent = await fundedAgent(world())
  const session = await claim(agent, await createJob(world()))
  const workflowId = claimWorkflowId(session.jobId)
  const { history } = await connection.workflowService.getWorkflowExecutionHistory({ namespace: 'default', execution: { workflowId } })
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes
  const payloads = (started?.input?.payloads ?? []).map(({ metadata, data }) => ({
    metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')])),
    data: Buffer.from(data ?? []).toString('base64'),
  }))
  return { agent, session, workflowId, payloads, runId: started?.originalExecutionRunId ?? '' }
}

test('the console decrypts for the origin of the UI and an admin only', async () => {
  const { agent, session, payloads } = await claimed()
  const { site, ui } = addresses()
  const decode = async (headers: Record<string, string>, body: unknown = { payloads }) => {
    const answer = await fetch(`${site}/codec/decode`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, allowed: answer.headers.get('access-control-allow-origin'), text: await answer.text() }
  }
  const cookie = (token: string) => `__Host-console=${token}`
  const admin = { origin: ui, cookie: cookie(world().admin.token()) }
  const opened = await decode(admin)
  expect(opened).toMatchObject({ status: 200, allowed: ui })
  const [payload] = JSON.parse(opened.text).payloads
  expect(Buffer.from(payload.metadata.encoding, 'base64').toString()).toBe('json/plain')
  expect(JSON.parse(Buffer.from(payload.data, 'base64').toString())).toMatchObject({ jobId: session.jobId })

  const again = await fetch(`${site}/codec/encode`, { method: 'POST', headers: admin, body: JSON.stringify({ payloads: [payload] }) })
  const [closed] = ((await again.json()) as { payloads: typeof payloads }).payloads
  expect(Buffer.from(closed?.metadata.encoding ?? '', 'base64').toString()).toBe('binary/encrypted')
  expect(JSON.parse((await decode(admin, { payloads: [closed] })).text).payloads).toEqual([payload])

  expect(await decode({ ...admin, origin: 'https://other.example' })).toMatchObject({ status: 403, allowed: null, text: '' })
  expect(await decode({ cookie: admin.cookie })).toMatchObject({ status: 403, text: '' })
  expect(await decode({ origin: ui })).toMatchObject({ status: 401, text: '' })
  expect(await decode({ origin: ui, cookie: cookie(agent.token()) })).toMatchObject({ status: 403, text: '' })
  expect(await decode(admin, 'text')).toMatchObject({ status: 400, text: '' })
  expect(await decode(admin, { payloads: [{ data: '%' }] })).toMatchObject({ status: 400, text: '' })
})

test('the Temporal UI shows the input of a claim to an operator who has signed in to the console', async () => {
  if (browser === undefined) throw new Error('this suite needs Chromium')
  const { workflowId, runId, payloads } = await claimed()
  const { site, ui } = addresses()
  const settings = { endpoint: `${site}/codec`, includeCredentials: true, overrideRemoteCodecConfiguration: true }
  /** Whether the page shows the decrypted input, after the console has answered. */
  const showsInput = async (token: string | undefined): Promise<boolean> => {
    const context = await (browser as Browser).newContext()
    try {
      if (token !== undefined) await context.addCookies([cookieOf(site, token)])
      await context.addInitScript((kept) => {
        const { localStorage } = globalThis as unknown as { localStorage: { setItem(name: string, value: string): void } }
        for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, JSON.stringify(value))
      }, settings)
      const page = await context.newPage()
      const answered = page.waitForResponse(
        (response) => response.url().startsWith(`${site}/codec/decode`) && response.request().method() === 'POST',
      )
      await page.goto(`${ui}/namespaces/default/workflows/${encodeURIComponent(workflowId)}/${runId}/history`)
      expect((await answered).status()).toBe(token === undefined ? 401 : 200)
      // A busy machine draws the page late, and parts of it that are not shown hold the text as well. Closed data is drawn with its metadata or alone.
      const shown = (text: string) => page.getByText(text).filter({ visible: true }).first()
      const [plain, closed] = [shown('"idempotencyKey"'), shown(payloads[0]?.data.slice(0, 40) ?? '')]
      await (token === undefined ? closed : plain).waitFor({ timeout: 120_000 })
      return await plain.isVisible()
    } finally {
      await context.close()
    }
  }
  expect(await showsInput(world().admin.token())).toBe(true)
  expect(await showsInput(undefined)).toBe(false)
})
