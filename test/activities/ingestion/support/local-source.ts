import type { LocalSource } from '../../../../local/sources/local-source.ts'
import { startSources } from '../../../../local/sources/server.ts'
import { budgetOf, json, sourceHttp, startScriptedSource } from './source-world.ts'

/** Starts a local source alone, with requests of runs to it. */
export const startLocalSource = async (source: LocalSource) => {
  const sources = await startSources({ sources: [source] })
  return {
    host: sources.host,
    url: `${sources.url}/${source.name}`,
    /** Requests of a run with a budget. */
    http: (limit = Number.MAX_SAFE_INTEGER) => sourceHttp([sources.host], { budget: budgetOf(limit) }),
    takeRequests: () => sources.takeRequests().map(({ path, ...record }) => ({ ...record, url: new URL(path, sources.url) })),
    stop: sources.stop,
  }
}

/** Starts a source whose one answer a test sets. */
export const startFixedSource = async () => {
  const source = await startScriptedSource()
  return {
    url: source.url,
    http: () => source.run(),
    stop: source.stop,
    respond: (body: unknown, headers: Record<string, string> = {}, status = 200): void => {
      source.respond = json(headers, status, typeof body === 'string' ? body : JSON.stringify(body))
    },
  }
}
