import type { Context } from '../context.ts'
import { keyError } from '../failures.ts'
import { isReadableByOthers, readFileIfThere } from '../state/files.ts'

export const HOW_TO_GET_TOKEN = 'Make a new one: agent-work delegate create --out FILE'

/** The token of a file, which is removed from everything that is shown. Throws without exactly one. */
export const readTokenFile = ({ output }: Pick<Context, 'output'>, path: string): string => {
  const token = readFileIfThere(path)?.trim()
  if (token === undefined) throw keyError(`The token file ${path} does not exist.`, HOW_TO_GET_TOKEN)
  if (!/^[\x21-\x7e]+$/.test(token)) throw keyError(`The token file ${path} does not hold exactly one token.`, HOW_TO_GET_TOKEN)
  if (isReadableByOthers(path)) output.warn(`Other users can read ${path}, and it holds a token: chmod 600 it.`)
  output.hide(token)
  return token
}
