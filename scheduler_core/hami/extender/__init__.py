"""HAMi's scheduler in process: filter, bind, placing, registration and locks."""
