/** How people know a customer. */
export const customerName = ({
  company_name,
  email,
}: {
  company_name: string | null;
  email: string | null;
}): string => company_name || email || 'Without a name';

/** Addresses of pages of other subjects. */
export const agentPath = (instance_id: string, tab = 'timeline'): string =>
  `/instances/${instance_id}/${tab}`;
export const approvalPath = (approval_id: string): string => `/approvals/${approval_id}`;
export const conversationPath = (conversation_id: string): string => `/conversations/${conversation_id}`;
export const DEPLOY_PATH: string = '/deploy';
export const deployOf = (recipe_id: string, isTried = false): Record<string, string> => ({
  recipe: recipe_id,
  ...(isTried && { try: 'here' }),
});
export const customerPath = (customer_id: string, tab = 'overview'): string =>
  `/customers/${customer_id}/${tab}`;
/** Opens the dialog of one row of a list, as a person of the staff or a connection. */
export const opening = (id: string): Record<string, string> => ({ open: id });
