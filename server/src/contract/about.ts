/** What the service calls itself, in its document and to models. */
export const TITLE = 'Agent Control Plane';
export const VERSION = '0.1.0';
