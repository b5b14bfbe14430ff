"""From stored cells to tables and figures."""
