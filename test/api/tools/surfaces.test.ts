import { expect, test } from '@jest/globals'
import { templatePath } from '../../../api/discovery/openapi.ts'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { COMMANDS } from '../../../client/cli/commands.ts'
import { OPERATIONS as CLIENT_OPERATIONS } from '../../../client/src/generated/operations.ts'
import { createClient } from '../../../client/src/index.ts'
import { TOOLSETS } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { useApi } from '../support/started.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are read as their readers do, without types.
type Document = any

const api = useApi({ isLocal: true, handlers: (deps) => createToolHandlers(deps) })

const read = async (path: string): Promise<Document> => {
  const { body, text } = await api.call(path)
  return body ?? text
}

const listTools = async (set: string): Promise<Document[]> => {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const { body } = await api.call(`/mcp?toolset=${set}`, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers })
  return body.result.tools
}

/** Every tool that the specification names. */
const SPECIFIED = [
  ...['getPlatformCapabilities', 'getPosterOnboarding', 'listVerificationProfiles', 'getVerificationRun', 'listJobs', 'getJobDefinition'],
  ...['getDepositPoolInfo', 'getAccountPosition', 'getCreditInfo', 'draftJob', 'buildPostJobTransactions', 'quoteVerificationRun'],
  ...['startVerificationRun', 'validateJobSubmission', 'preflightJob', 'estimateNetReward', 'explainEligibility', 'claimJob', 'submitWork'],
  ...['buildAccountDepositTransactions', 'buildWithdrawTransactions', 'quoteLockedDeposit', 'createLockedDeposit'],
  ...['requestLockedDepositExit', 'buildDepositPoolTransactions', 'buildCreditTransactions', 'getJobTierLadder', 'getAccountSummary'],
  ...['getStrategyPositions', 'listStrategies', 'getBorrowCapacity', 'getReputation', 'listAgents', 'getAgentProfile', 'listBadges'],
  ...['getAgentBadge', 'listDisputes', 'getDispute', 'getVerificationResult', 'listVerifierHandlers', 'resumeSession', 'listSessions'],
  ...['getSessionStateMachine', 'listJobSchemas', 'getJobSchema', 'recommendJobs', 'getXcmRequest'],
  ...['fetchAuthNonce', 'verifySiwe', 'refreshAuthToken'],
]

/** Tools beside those. */
const ADDED = [
  'buildRecallTransactions',
  ...['ingestGithub', 'ingestOpenData', 'ingestOpenapi', 'ingestOsv', 'ingestStandards', 'ingestWikipedia'],
  ...['listSources', 'listSourceItems', 'steerSource', 'listLanes', 'setLaneState'],
  ...['fireTemplate', 'pauseTemplate', 'resumeTemplate', 'sweepDefinitions'],
]

test('registry, routes, tools, client, command line and documents name the same', async () => {
  const [openapi, manifest, onboarding, docs, full, tools] = await Promise.all([
    read('/openapi.json'),
    read('/.well-known/agent-tools.json'),
    read('/onboarding'),
    read('/docs'),
    read('/llms-full.txt'),
    listTools('all'),
  ])
  const short = await read('/llms.txt')
  const client: Document = createClient({ baseUrl: api.url })
  const faults: string[] = []
  const check = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault)
  }
  for (const { id, method, path, tool, streams } of operationList) {
    const shown = openapi.paths[templatePath(path)]?.[method.toLowerCase()]
    check(shown?.operationId === id && shown['x-tool'] === tool?.name, `${id}: OpenAPI`)
    check(docs.includes(`#op-${id}"`), `${id}: documentation`)
    for (const text of [short, full]) check(text.includes(`#op-${id})`), `${id}: llms text`)
    const { answers }: Document = CLIENT_OPERATIONS[id as keyof typeof CLIENT_OPERATIONS] ?? {}
    check(typeof client[id] === 'function' && Boolean(streams) === (answers === 'stream'), `${id}: client`)
    const { status } = await api.call(path.replaceAll(/:[A-Za-z]+/g, 'x'), { method: 'OPTIONS' })
    check(status === 204, `${id}: route`)
    if (tool === undefined) continue
    check(
      tools.some(({ name }) => name === tool.name),
      `${id}: tool`,
    )
    const isListed = onboarding.tools.includes(tool.name) && manifest.tools.some(({ name }: Document) => name === tool.name)
    check(isListed === tool.directory, `${id}: directory list`)
    check(tool.sets.length > 0 && full.includes(tool.name), `${id}: list of tools`)
  }
  expect(faults).toEqual([])
  expect(Object.keys(CLIENT_OPERATIONS).sort()).toEqual(operationList.map(({ id }) => id).sort())
  const known = new Set(operationList.map(({ id }) => id))
  expect(COMMANDS.flatMap(({ operations }) => operations).filter((id) => !known.has(id))).toEqual([])
  expect(tools.map(({ name }) => name).sort()).toEqual([...SPECIFIED, ...ADDED].sort())
  const info = await read('/mcp')
  for (const set of TOOLSETS) {
    const names = (await listTools(set)).map(({ name }) => name)
    expect(info.toolsets.find(({ name }: Document) => name === set).tools).toEqual(names)
  }
  expect((await read('/onboarding?detail=welcome')).tools.names).toEqual((await listTools('worker')).map(({ name }) => name))
})
