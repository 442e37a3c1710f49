import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createArticleDeliveries } from '../../../activities/deliveries/article-reader.ts'
import { createPullRequestDeliveries } from '../../../activities/deliveries/pull-request-reader.ts'
import { createFetches } from '../../../activities/outbound/clients.ts'
import { createPolicyReader } from '../../../activities/pull-requests/policy-reader.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { builtJob, prBody } from '../../domain/builders/job.ts'
import { differences } from '../ingestion/support/documented.ts'
import { passTo, type Recorded, type RecordingServer, startRecorded } from '../ingestion/support/recorded.ts'
import { type Records, startRecords } from '../support/service.ts'

const REPO = 'acme/widgets'
const REF = { host: 'codehost.example', owner: 'acme', repo: 'widgets', number: 7, url: `https://codehost.example/${REPO}/pull/7` }
const TOKEN = codehostSettings('').CODEHOST_TOKEN

let host: LocalCodehost
let codehost: RecordingServer
let encyclopedia: RecordingServer
let records: Records
/** Requests to the code host of a claim, of a reading of a merged pull request, and of one that is gone. */
let ofClaim: Recorded[]
let ofMerged: Recorded[]
let ofGone: Recorded[]
let ofArticle: Recorded[]

const revision = (pageid: number) => ({
  query: { pages: [{ pageid, revisions: [{ revid: 42, slots: { main: { content: 'The bridge.' } } }] }] },
})

beforeAll(async () => {
  host = await startCodehost()
  records = await startRecords()
  codehost = await startRecorded(passTo(host.url))
  encyclopedia = await startRecorded(() => ({ status: 200, type: 'application/json', body: JSON.stringify(revision(5)) }))
  const settings = readSettings({
    ...{ DATABASE_URL: 'unused', CHAIN_FILE: 'unused' },
    ...codehostSettings(codehost.url),
    WIKIPEDIA_API_URL: `${encyclopedia.url}/w/api.php`,
  })
  const fetches = createFetches(settings)
  host.content.change(REPO, { files: { 'CONTRIBUTING.md': 'Welcome.', '.github/PULL_REQUEST_TEMPLATE/one.md': 'Say what changes.' } })
  host.world.set(REPO, 7, { merged: true })
  const source = { type: 'codehost_issue', repo: REPO, issueNumber: 3 }
  const job = { definition: builtJob(prBody({ source })).definition, postingRoute: 'curated' as const }
  await createPolicyReader({ ...records, settings, fetch: fetches.codehost }).refreshJob(job, 0)
  ofClaim = codehost.takeRequests()
  const readDelivery = createPullRequestDeliveries({ settings, fetch: fetches.codehost })
  await readDelivery(REF, null)
  ofMerged = codehost.takeRequests()
  await readDelivery({ ...REF, number: 8 }, null)
  ofGone = codehost.takeRequests()
  await createArticleDeliveries({ settings, fetch: fetches.encyclopedia })({ language: 'en', revisionId: '42', texts: ['A bridge.'] })
  ofArticle = encyclopedia.takeRequests()
})
afterAll(async () => {
  await Promise.all([codehost.stop(), encyclopedia.stop(), records.stop()])
  await host.stop()
})

describe('a request to the code host', () => {
  test('of a claim is one of the documented ones', () => {
    const rows = ofClaim.map((request) => {
      const name = request.path.includes('/contents/') ? (request.path.endsWith('.md') ? 'file' : 'folder') : 'repository'
      const row = request.path.includes('/issues/') ? 'issue of a claim' : `${name} of a policy`
      return [row, differences(row, request)]
    })
    expect(rows.filter(([, found]) => found?.length !== 0)).toEqual([])
    expect(new Set(rows.map(([row]) => row))).toEqual(
      new Set(['repository of a policy', 'folder of a policy', 'file of a policy', 'issue of a claim']),
    )
  })

  test('of a delivery is one of the documented ones', () => {
    expect(ofMerged.map(({ path }) => path)).toEqual([`/repos/${REPO}/pulls/7`, `/repos/${REPO}/commits`])
    expect(differences('delivered pull request', ofMerged[0])).toEqual([])
    expect(differences('commits since a merge', ofMerged[1])).toEqual([])
    expect(differences('delivered pull request', ofGone[0])).toEqual([])
    expect(differences('commits at all', ofGone[1])).toEqual([])
  })

  test('has the documented headers', () => {
    for (const { headers, body } of [...ofClaim, ...ofMerged, ...ofGone]) {
      expect(body).toBe('')
      expect(headers).toMatchObject({
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'agent-work-service',
        authorization: `Bearer ${TOKEN}`,
      })
    }
  })
})

test.each([
  ['delivered revision', 0],
  ['article now', 1],
])('the request "%s" is the documented one', (row, index) => {
  expect(ofArticle).toHaveLength(2)
  expect(differences(row, ofArticle[index])).toEqual([])
})
