/** Name of the service in badges, disclosure lines and documents. */
export const PRODUCT_NAME = 'Agent Work Service'

/** Name of the service in the user agent of its requests to sources of work. */
export const USER_AGENT_NAME = 'agent-work-service'
