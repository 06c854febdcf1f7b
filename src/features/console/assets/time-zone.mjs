// Says the time zone of the browser, so that the next pages write their times in it. Without it they
// write them in UTC, and say so.
{
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const isSecure = location.protocol === 'https:';
  const ends = `Path=/; SameSite=Lax; Max-Age=31536000${isSecure ? '; Secure' : ''}`;
  if (timeZone) document.cookie = `${isSecure ? '__Host-' : ''}time_zone=${timeZone}; ${ends}`;
}
