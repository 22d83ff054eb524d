/** What an exchange is answered with; null: no body. */
export interface Answer {
  status: number;
  text: string | null;
}

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
/** A refusal of the transport, which JSON-RPC leaves to whoever implements a server. */
export const REFUSED = -32_000;

/** @param id null: the error belongs to no request of its own (JSON-RPC 2.0, section 5.1) */
export const errorAnswer = (
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): Answer => ({ status, text: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }) });

/** A web Response whose body has come to its end, or is about to. */
export const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  text: (await response.text()) || null,
});
