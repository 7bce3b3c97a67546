"""Cards that pods share, as the plugin deviceshare knows them: one file for each kind of device."""
