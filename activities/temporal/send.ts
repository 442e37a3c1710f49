import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { SignalDefinition } from '@temporalio/common'
import type { SendMessage } from '../common/processes.ts'

/** Signals a workflow. Returns false for a workflow that does not exist or has ended. */
export const signalWorkflow = async <Args extends unknown[]>(
  client: Client,
  workflowId: string,
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<boolean> => {
  try {
    await client.workflow.getHandle(workflowId).signal(signal, ...args)
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}

export const createMessageSender =
  (client: Client): SendMessage =>
  async (message) => {
    const { signal, args = [] } = message
    if ('start' in message) await client.workflow.signalWithStart(message.workflow, { ...message.start, signal, signalArgs: args })
    else await signalWorkflow(client, message.workflowId, signal, ...args)
  }
