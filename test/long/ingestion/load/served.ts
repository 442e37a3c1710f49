// The sources of the local stack, which count what they gave to a service.
import { searchIssues } from '../../../../local/codehost/search.ts'
import { codehostSettings, startCodehost } from '../../../../local/codehost/start.ts'
import { createLocalSources } from '../../../../local/sources/all.ts'
import type { LocalAnswer, LocalRequest, LocalSource } from '../../../../local/sources/local-source.ts'
import { sourceSettings, startSources } from '../../../../local/sources/server.ts'
import type { Provider } from '../../../../schemas/ingestion/providers.ts'

/** Names of the items that an answer gives. */
type Names = (request: LocalRequest, answer: LocalAnswer) => readonly string[]

const jsonOf = <Value>({ body }: LocalAnswer): Value => JSON.parse(String(body))

interface Entry {
  versions: Record<string, { info: { 'x-origin'?: unknown } }>
}

/** Entries of the public list without a document. The others count once their document is asked for. */
const withoutDocument = (answer: LocalAnswer): string[] =>
  Object.entries(jsonOf<Record<string, Entry>>(answer))
    .filter(([, { versions }]) => Object.values(versions).every(({ info }) => info['x-origin'] === undefined))
    .map(([name]) => name)

interface Batch {
  queries: { package: { name: string }; version: string }[]
}

const NAMES: Record<Exclude<Provider, 'github'>, Names> = {
  wikipedia: (_request, answer) =>
    (jsonOf<{ query?: { pages: { title: string }[] } }>(answer).query?.pages ?? []).map(({ title }) => title),
  osv: ({ url, body }) =>
    url.pathname === '/v1/querybatch'
      ? (JSON.parse(body) as Batch).queries.map(({ package: { name }, version }) => `${name}@${version}`)
      : [],
  'open-data': ({ url }, answer) =>
    url.pathname === '/search' ? jsonOf<{ results: { identifier: string }[] }>(answer).results.map(({ identifier }) => identifier) : [],
  openapi: ({ url }, answer) => (url.pathname === '/v2/list.json' ? withoutDocument(answer) : [url.pathname]),
  standards: ({ url }) => /^\/rfc\/rfc\d+\.json$/.exec(url.pathname) ?? [],
}

/** Starts the code host and the other sources. */
export const startServed = async () => {
  const names = new Set<string>()
  let requests = 0
  /** Answers that a source gives again as they are. */
  const counted = new WeakSet<LocalAnswer>()

  const count = (source: LocalSource): LocalSource => ({
    ...source,
    answer: (request) => {
      const answer = source.answer(request)
      requests += 1
      if (!counted.has(answer)) for (const name of NAMES[source.name as keyof typeof NAMES](request, answer)) names.add(name)
      counted.add(answer)
      return answer
    },
  })

  const sources = await startSources({ sources: createLocalSources().map(count) })
  const codehost = await startCodehost({ limitPerHour: 1_000_000 })

  /** Issues that the searches among these requests gave. */
  const issuesOf = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => {
      const url = new URL(path, codehost.url)
      const found = url.pathname === '/search/issues' ? searchIssues(codehost.content, url.searchParams) : null
      return found?.ok === true ? found.issues.map(({ repo, number }) => `${repo}#${number}`) : []
    })

  return {
    settings: { ...codehostSettings(codehost.url), ...sourceSettings(sources.url), LOCAL_CALLER_HOSTS: sources.host },
    /** Requests since the last call, and how many different items their answers gave. */
    take: (): { requests: number; items: number } => {
      const paths = codehost.takeRequests().map(({ path }) => path)
      const taken = { requests: requests + paths.length, items: new Set([...names, ...issuesOf(paths)]).size }
      requests = 0
      names.clear()
      return taken
    },
    stop: () => Promise.all([sources.stop(), codehost.stop()]),
  }
}
