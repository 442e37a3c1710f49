import type { Arguments, Body, Connection, ToolAnswer } from './clients.ts'

/** Calls a tool that must succeed. Throws with the problem otherwise. */
export const callWell = async (client: Connection, tool: string, sent: Arguments = {}): Promise<Body> => {
  const { isError, body }: ToolAnswer = await client.callTool(tool, sent)
  if (isError) throw new Error(`${tool} was refused: ${JSON.stringify(body)}`)
  return body
}

/** The suggested call of a tool. Throws where the answer suggests none. */
export const suggestedCall = ({ nextActions = [] }: Body, tool: string) => {
  const found = nextActions.find((action) => action.tool === tool)
  if (found === undefined) throw new Error(`no next action calls ${tool}: ${JSON.stringify(nextActions)}`)
  return { arguments: found.arguments ?? {}, needs: found.needs ?? [] }
}

/** Makes the suggested call of a tool, with the arguments that it names as missing and no others. */
export const follow = async (client: Connection, answer: Body, tool: string, missing: Arguments = {}): Promise<Body> => {
  const call = suggestedCall(answer, tool)
  if (call.needs.join() !== Object.keys(missing).join()) throw new Error(`${tool} needs ${call.needs}, not ${Object.keys(missing)}`)
  return callWell(client, tool, { ...call.arguments, ...missing })
}
