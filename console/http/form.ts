import type { Context } from 'koa'
import { Refusal } from './failures.ts'
import { isOwnForm } from './security.ts'

const LIMIT_BYTES = 100_000

/** Body of a request. Throws 413 above the limit. */
export const readBody = async (ctx: Context, limitBytes: number): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limitBytes) throw new Refusal(413, `The request is larger than ${limitBytes / 1000} kB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Fields of a form that a page of the console sent; several values of one name stand in one, with commas between. Throws 403 for a form of
 * another site, 415 for another media type and 413 above 100 kB.
 */
export const readForm = async (ctx: Context, url: string): Promise<Record<string, string>> => {
  if (!isOwnForm({ site: ctx.get('sec-fetch-site'), origin: ctx.get('origin') }, url))
    throw new Refusal(403, 'This form comes from another site. The console takes only forms of its own pages.')
  if (!ctx.is('application/x-www-form-urlencoded')) throw new Refusal(415, 'The console takes forms only.')
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(await readBody(ctx, LIMIT_BYTES)))
    fields[name] = name in fields ? `${fields[name]},${value}` : value
  // A browser sends line ends as CR LF; the message that a wallet signs has LF.
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]))
}
