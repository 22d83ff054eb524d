const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The reader's midnight that begins the day, or a later one. */
function midnight(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** Two days of the reader, both included, as times from the first and until the second. */
export const dayRange = (
  from: string | undefined,
  to: string | undefined,
): { from?: string; to?: string } => ({
  ...(from && DAY.test(from) && { from: midnight(from) }),
  ...(to && DAY.test(to) && { to: midnight(to, 1) }),
});
