/** Name of the service in badges, disclosure lines and documents. */
export const PRODUCT_NAME = 'Agent Work Service'
